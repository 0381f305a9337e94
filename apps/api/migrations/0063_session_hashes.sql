-- Session tokens are stored as hashes (ADR 12). Sessions that are open go on: their tokens are hashed in place.
alter table sessions rename column token to token_hash;
update sessions
set token_hash = translate(rtrim(encode(sha256(convert_to('session ' || token_hash, 'UTF8')), 'base64'), '='), '+/', '-_');
