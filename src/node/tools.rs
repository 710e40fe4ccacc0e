//! `Tools`: the read-only tools of one session.

use std::sync::Arc;

use napi::bindgen_prelude::Object;
use napi::{Env, JsString, JsStringUtf8};
use napi_derive::napi;
use serde_json::{Value, json};

use super::cancel::CancelHandle;
use super::environment::Environment;
use super::failure::{Thrown, guarded, refused, thrown};
use super::options::Options;
use super::promise::promise;
use crate::error::Error;
use crate::tools::{self, MAX_ARGUMENTS_BYTES, ToolResult, TraceContext};

/// The tools of one session. `index.js` has the public class.
#[napi]
pub struct Tools {
    tools: Arc<tools::Tools>,
}

/// The result of a tool call, as the host takes it.
#[napi(object, object_from_js = false)]
pub struct ToolOutcome {
    /// What the model reads: JSON.
    pub text_result_for_llm: String,
    /// `success` or `failure`.
    pub result_type: &'static str,
}

impl From<ToolResult> for ToolOutcome {
    fn from(it: ToolResult) -> Self {
        Self { text_result_for_llm: it.text_result_for_llm, result_type: it.result_type.as_str() }
    }
}

/// What the host tells a model about the tools: the JSON of an array.
///
/// # Errors
/// Never, short of a defect.
#[napi]
pub fn tool_definitions() -> Result<String, Thrown> {
    guarded(|| Ok(tools::definitions().to_string()))
}

#[napi]
impl Tools {
    /// Tools for a session that starts in `cwd`, with the environment `env`.
    ///
    /// # Errors
    /// When an option is invalid.
    #[napi(constructor, ts_args_type = "options: object")]
    pub fn new(env: Env, options: Object) -> Result<Self, Thrown> {
        guarded(|| {
            let options = Options::new(options);
            let owner = Environment::of(env)?.owner;
            let tools = tools::Tools::new(options.cwd()?, options.environ()?, owner);
            Ok(Self { tools: Arc::new(tools) })
        })
    }

    /// Answers one call. `args` is JSON; `trace` holds what the host tells about the call.
    ///
    /// # Errors
    /// When `args` is too long to be taken over.
    #[napi(
        ts_args_type = "name: string, args: string, trace: object, cancel: CancelHandle",
        ts_return_type = "Promise<ToolOutcome>"
    )]
    pub fn call<'env>(
        &self,
        env: &'env Env,
        name: String,
        args: JsString<'env>,
        trace: Object<'env>,
        cancel: &CancelHandle,
    ) -> Result<Object<'env>, Thrown> {
        guarded(|| {
            if args.utf8_len().map_err(refused)? > MAX_ARGUMENTS_BYTES {
                return Err(thrown(&Error::ArgumentsUnreadable));
            }
            let args = args.into_utf8().and_then(JsStringUtf8::into_owned).map_err(refused)?;
            let trace = trace_context(&Options::new(trace))?;
            let (tools, cancel) = (Arc::clone(&self.tools), cancel.token.clone());
            let work = async move { Ok(tools.call_json(&name, &args, &trace, &cancel).await) };
            promise(env, work, ToolOutcome::from)
        })
    }

    /// Takes an event of the host, of which `type` and `data.cwd` count.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi(ts_args_type = "type: string, cwd: string")]
    pub fn context_changed(&self, kind: String, cwd: String) -> Result<(), Thrown> {
        guarded(|| {
            let (kind, cwd) = (Value::from(kind), Value::from(cwd));
            self.tools.context_changed(&json!({ "type": kind, "data": { "cwd": cwd } }));
            Ok(())
        })
    }

    /// Where the next call works.
    ///
    /// # Errors
    /// Never, short of a defect.
    #[napi(getter)]
    pub fn directory(&self) -> Result<String, Thrown> {
        guarded(|| Ok(self.tools.directory().into_string()))
    }
}

fn trace_context(options: &Options<'_>) -> Result<TraceContext, Thrown> {
    Ok(TraceContext {
        session_id: options.text("sessionId")?,
        tool_call_id: options.text("toolCallId")?,
        traceparent: options.text("traceparent")?,
        tracestate: options.text("tracestate")?,
    })
}
