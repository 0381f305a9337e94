-- Invitations that someone has received, by their address.
create index team_invitations_received on team_invitations (email, created_at desc) where status = 'open' and email is not null;
