//! The Node binding: conversion only, no decisions. `index.js` is its only caller.
//!
//! Every asynchronous function takes a [`cancel::CancelHandle`] and returns a promise made by [`promise::promise`];
//! a failure carries the stable code of [`crate::error::Error::code`], or `invalid-argument`. A panic is caught and
//! becomes `internal`. Reports cross as JSON text: measured, writing and parsing it takes 0.6 to 0.9 of the time of
//! building the objects through Node-API, and the writing is done off the event loop.

#![expect(unsafe_code, reason = "the napi macros expand to calls of the C interface")]
#![cfg_attr(test, allow(dead_code, reason = "the macros export nothing from a test binary"))]

mod callbacks;
mod calls;
mod cancel;
mod environment;
mod failure;
mod hooks;
mod input;
mod join;
mod options;
mod panel;
mod promise;
mod run;
mod tools;
mod verdict;

use napi_derive::napi;

/// The version of the binary. `index.js` takes no other than its own.
#[napi]
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
