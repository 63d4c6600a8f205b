mod audit;
mod auth;
mod bed;
mod smoke;
mod tenancy;
mod test_mode;
