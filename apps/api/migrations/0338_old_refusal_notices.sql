-- Notices of certificates refused before ADR 179 covered them became notices of decisions (0331) that don't exist.
delete from notifications where topic = 'sanction-imposed' and data ->> 'variant' = 'certificate_refused'
  and path not like '/tabs/menu/decisions/%';
