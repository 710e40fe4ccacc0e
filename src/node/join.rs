//! The joins that the Copilot extension tries. Synchronous, and touches nothing.

use napi::bindgen_prelude::Object;
use napi_derive::napi;

use super::failure::{Thrown, guarded};
use super::options::Options;
use crate::join::{Field, Present, ladder};

/// One join: everything that is present, without these.
#[napi(object, object_from_js = false)]
pub struct Rung {
    /// The fields of the join that are left out.
    pub drop: Vec<&'static str>,
}

/// The joins to try, in order.
///
/// # Errors
/// When an argument is invalid.
#[napi(ts_args_type = "present: object")]
pub fn join_ladder(present: Object) -> Result<Vec<Rung>, Thrown> {
    guarded(|| {
        let present = Options::new(present);
        let present = Present {
            hooks: present.flag("hooks")?,
            tools: present.flag("tools")?,
            canvases: present.flag("canvases")?,
        };
        let rungs = ladder(present).into_iter();
        Ok(rungs.map(|rung| Rung { drop: rung.drop.into_iter().map(Field::name).collect() }).collect())
    })
}
