//! The model `elements` of paper 003 \[DDCB01\]: a pressed liver, materials from soft to stiff, and a cut that springs open.

pub mod beam;
pub mod liver;
pub mod moduli;
