//! A panic cannot be caught in a browser: what is left is to say what happened, where the user sees it.

use js_sys::Function;
use std::cell::RefCell;
use wasm_bindgen::JsValue;

thread_local! {
    static ON_FAILURE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Calls `on_failure` with the message of a panic. The console gets it as well, from eframe, with the stack.
pub fn tell(on_failure: Function) {
    ON_FAILURE.with_borrow_mut(|known| *known = Some(on_failure));
    std::panic::set_hook(Box::new(|info| {
        let message = JsValue::from_str(&info.to_string());
        // Nothing may go wrong in a panic hook: where the page does not listen, the console still has it.
        if let Ok(Some(on_failure)) = ON_FAILURE.try_with(|known| known.try_borrow().ok()?.clone()) {
            let _ = on_failure.call1(&JsValue::NULL, &message);
        }
    }));
}
