mod bed;
mod smoke;
mod test_mode;
