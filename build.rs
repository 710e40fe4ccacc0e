//! Links the Node addon when the `node` feature asks for it.

fn main() {
    // Without a word cargo takes every file of the package, such as a page of docs, for one that the crate depends on.
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "node")]
    napi_build::setup();
}
