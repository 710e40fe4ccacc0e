//! `Review`: the decision review of one directory.

use napi::Env;
use napi::bindgen_prelude::Object;
use napi_derive::napi;

use super::calls::{ask, json};
use super::cancel::CancelHandle;
use super::environment::Environment;
use super::failure::{Thrown, guarded, invalid, thrown};
use super::options::Options;
use super::promise::promise;
use crate::panel::Frame;
use crate::review::{self, Trigger};

/// The review of one directory. `index.js` has the public class.
#[napi]
pub struct Review {
    review: review::Review,
}

#[napi]
impl Review {
    /// A review that has collected nothing yet.
    ///
    /// # Errors
    /// When an option is invalid.
    #[napi(constructor, ts_args_type = "options: object")]
    pub fn new(env: Env, options: Object) -> Result<Self, Thrown> {
        guarded(|| {
            let options = Options::new(options);
            let base = options.text("base")?;
            let ask = ask(env, &options)?;
            let slots = Environment::of(env)?.slots.clone();
            Ok(Self { review: review::Review::new(ask, base, slots) })
        })
    }

    /// The directory as given.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi(getter)]
    pub fn directory(&self) -> Result<String, Thrown> {
        guarded(|| Ok(self.review.subject().directory.as_str().to_owned()))
    }

    /// Rises whenever what is shown changes.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi(getter)]
    pub fn version(&self) -> Result<f64, Thrown> {
        guarded(|| Ok(count(self.review.version())))
    }

    /// Collects again.
    ///
    /// # Errors
    /// When an argument is invalid.
    #[napi(ts_args_type = "options: object, cancel: CancelHandle", ts_return_type = "Promise<void>")]
    pub fn refresh<'env>(
        &self,
        env: &'env Env,
        options: Object<'env>,
        cancel: &CancelHandle,
    ) -> Result<Object<'env>, Thrown> {
        guarded(|| {
            let trigger = trigger(Options::new(options).text("trigger")?.as_deref())?;
            let refreshed = self.review.refresh(trigger, cancel.token.clone());
            let work = async move {
                refreshed.await;
                Ok(())
            };
            promise(env, work, |()| ())
        })
    }

    /// The whole page.
    ///
    /// # Errors
    /// When an option is invalid.
    #[napi(ts_args_type = "page: object")]
    pub fn document(&self, page: Object) -> Result<String, Thrown> {
        guarded(|| {
            let page = Options::new(page);
            let (nonce, base) = (page.required_text("nonce")?, page.required_text("base")?);
            Ok(self.review.document(Frame { nonce: &nonce, base: &base }))
        })
    }

    /// The parts of the page: the JSON of `{ version, parts }`.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi]
    pub fn fragments(&self) -> Result<String, Thrown> {
        guarded(|| json(&self.review.fragments()).map_err(|e| thrown(&e)))
    }

    /// What a model may know: the JSON of a `ReviewSummary`.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi]
    pub fn summary(&self) -> Result<String, Thrown> {
        guarded(|| json(&self.review.summary()).map_err(|e| thrown(&e)))
    }

    /// Cancels what is under way, and refreshes nothing from now on.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi]
    pub fn dispose(&self) -> Result<(), Thrown> {
        guarded(|| {
            self.review.dispose();
            Ok(())
        })
    }
}

fn trigger(name: Option<&str>) -> Result<Trigger, Thrown> {
    match name {
        None | Some("manual") => Ok(Trigger::Manual),
        Some("open") => Ok(Trigger::Open),
        Some("edit") => Ok(Trigger::Edit),
        Some(_) => Err(invalid("trigger", "open, manual or edit")),
    }
}

/// JavaScript counts exactly up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "nobody refreshes that often")]
fn count(version: u64) -> f64 {
    version as f64
}
