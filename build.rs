//! Links the Node addon when the `node` feature asks for it.

fn main() {
    #[cfg(feature = "node")]
    napi_build::setup();
}
