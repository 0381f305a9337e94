-- Operators get a mail with the case instead, and only those who can decide it.
delete from notifications where topic = 'appeal-overdue';
delete from notification_choices where topic = 'appeal-overdue';
