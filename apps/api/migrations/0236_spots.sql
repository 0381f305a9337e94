-- A shift has spots, and a company a registered address.
alter table businesses rename column seat_street to registered_street;
alter table businesses rename column seat_postcode to registered_postcode;
alter table businesses rename column seat_town to registered_town;
alter table jobs rename constraint jobs_seats to jobs_spots;
alter index holds_free_seats rename to holds_free_spots;
