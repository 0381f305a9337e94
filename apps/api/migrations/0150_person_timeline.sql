-- What an operator reads about a person (docs/architecture.md, Cases): reports in chats by and about them, and cards and bank accounts that
-- they share with others, removed ones too.
create index chat_reports_account on chat_reports (account_id, at desc, id desc);
create index chat_reports_conversation on chat_reports (conversation_id);
create index cards_of_business on cards (business_id);
create index payout_methods_of_account on payout_methods (account_id);
