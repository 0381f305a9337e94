import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useSettings } from '../../lib/settings.ts';
import './terms.css';

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="terms-part">
      <h2 className="h-m">{title}</h2>
      {children}
    </section>
  );
}

/** The terms in plain words. When they change, change `termsInForce` in the contract too. */
export default function Terms() {
  const { businessFeeBasisPoints, decideByDays: days, openJobsWhileUnverified: openJobs } = useSettings();
  const fee = businessFeeBasisPoints / 100;
  return (
    <div className="terms">
      <Part title={<Trans>1. What Nearhand is</Trans>}>
        <p>
          <Trans>
            Nearhand brings workers and businesses together for work nearby. The work agreement is between the
            two of them. Nearhand is not the employer and not a party to it.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>2. Your account</Trans>}>
        <p>
          <Trans>
            You must be old enough to work where you live. Use your own name and an email address you have
            access to. Keep your password to yourself. Each person has one account, for both finding work and
            hiring.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>3. Businesses and jobs</Trans>}>
        <p>
          <Trans>
            You must be authorized to act for a business to register it. A job must be real, lawful and
            described accurately, including its pay. Until a business is verified, it can have up to{' '}
            {openJobs} open jobs, shown as not verified. Pay can't be lowered after someone is hired.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>4. Applications</Trans>}>
        <p>
          <Trans>
            Apply only for work you can do, and answer truthfully. A business decides within {days} days.
            After that, the application closes without a response. You can withdraw before you're hired.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>5. Pay and fees</Trans>}>
        <p>
          <Trans>
            Workers see what they'll be paid before they apply. The business pays a fee of {fee}% on top of
            the pay. The fee shown when an offer is made is the one that applies.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>6. How we treat each other</Trans>}>
        <p>
          <Trans>
            No discrimination, no harassment, no asking for money to get a job. Keep your agreements, or
            cancel early if you can't. Report anything that breaks these rules. A person reviews every report.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>7. Your data</Trans>}>
        <p>
          <Trans>
            A business sees your profile and your application, never your exact home address. Only businesses
            you send your CV to can see it. Private addresses are shown as an approximate area until someone
            is hired.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>8. When an account is closed</Trans>}>
        <p>
          <Trans>
            You can close your account at any time. We can suspend an account that breaks these terms. We'll
            give the reason in writing, and you can ask for a review by someone else on our staff.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>9. Liability</Trans>}>
        <p>
          <Trans>
            We work to keep Nearhand available and accurate, but we can't promise that it never fails. Nothing
            here limits your legal rights.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>10. Changes</Trans>}>
        <p>
          <Trans>
            When these terms change, we'll notify you and ask you to accept the new version. Until then, the
            version you accepted applies.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>11. Maps and place names</Trans>}>
        <p>
          <Trans>
            Place names come from GeoNames (geonames.org) under the CC BY 4.0 licence. We shortened the list
            and rounded the coordinates. The coastline comes from Natural Earth and is in the public domain.
          </Trans>
        </p>
      </Part>
    </div>
  );
}
