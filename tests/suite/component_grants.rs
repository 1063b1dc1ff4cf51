//! What a granted power gives, and what the lack of it means.
