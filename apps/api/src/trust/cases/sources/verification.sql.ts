import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Identity documents that staff look at. Index: `identity_checks_queue`. */
export const identitySource: CaseSource = {
  kind: 'identity',
  open: sql`
    select id, submitted_at, null::timestamptz, 'Identity document', document, null::int, null::uuid, array[account_id]
    from identity_checks where status = 'submitted' and checker = 'staff'`,
};

/** Certificates that staff look at. Index: `certificates_queue`. */
export const certificateSource: CaseSource = {
  kind: 'certificate',
  open: sql`
    select id, submitted_at, null::timestamptz, 'Certificate', kind, null::int, null::uuid, array[account_id]
    from certificates where status = 'submitted'`,
};

/** Businesses that wait for verification. Index: `businesses_pending`. */
export const businessVerificationSource: CaseSource = {
  kind: 'business_verification',
  open: sql`
    select business.id, coalesce(business.submitted_at, business.updated_at), null::timestamptz, business.name, business.country_code, null::int, business.id,
      array[]::uuid[]
    from businesses business where business.status = 'submitted'`,
};
