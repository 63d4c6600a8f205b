mod bed;
mod smoke;
