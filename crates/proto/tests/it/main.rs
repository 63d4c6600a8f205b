mod json;
mod timestamps;
