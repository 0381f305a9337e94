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

/** Of the text below; a test holds it to the contract's `termsInForce`, which would bring its schemas into the first load. */
export const termsVersion = '2026-11-01';

/** The terms themselves, in plain words. Change the version of the contract together with them. */
export function Terms() {
  const { merchantFeeBasisPoints, decideByDays: days, openJobsWhileUnverified: openJobs } = useSettings();
  const fee = merchantFeeBasisPoints / 100;
  return (
    <div className="terms">
      <Part title={<Trans>1. What Nearhand is</Trans>}>
        <p>
          <Trans>
            Nearhand brings workers and businesses together for work nearby. The agreement about the work is
            between the two of them. Nearhand is not the employer and not a party to it.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>2. Your account</Trans>}>
        <p>
          <Trans>
            You must be old enough to work where you live. Use your own name and an email address you can
            read. Keep your password to yourself. One person has one account, which can both find work and
            hire.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>3. Businesses and jobs</Trans>}>
        <p>
          <Trans>
            Who registers a business must be allowed to speak for it. A job must be real, lawful and described
            as it is, with its pay. Until a business is verified it can have up to {openJobs} open jobs, and
            they are marked. Pay never falls after somebody is hired.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>4. Applications</Trans>}>
        <p>
          <Trans>
            Apply only for work you can do, and answer truthfully. A business decides within {days} days;
            after that an application closes with no response. You can withdraw before you are hired.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>5. Pay and fees</Trans>}>
        <p>
          <Trans>
            What a worker gets is shown before they apply. The business pays a fee of {fee} % on top of the
            pay. The fee that counts is the one shown when an offer is made.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>6. How we treat each other</Trans>}>
        <p>
          <Trans>
            No discrimination, no harassment, no asking for money to get a job. Keep agreements, or say early
            that you cannot. Report what breaks these rules; a person looks at every report.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>7. Your data</Trans>}>
        <p>
          <Trans>
            A business sees of you what is in your profile and in your application, never your exact home.
            Your CV is seen only by businesses you sent it to. Places near a private address are shown blurred
            until somebody is hired.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>8. When an account is closed</Trans>}>
        <p>
          <Trans>
            You can close your account at any time. We can suspend an account that breaks these terms, with
            the reason in writing, and you can ask another person here to look again.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>9. Liability</Trans>}>
        <p>
          <Trans>
            We take care that Nearhand works and that what we show is right, but we cannot promise that it
            never fails. Nothing here takes away rights that the law gives you.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>10. Changes</Trans>}>
        <p>
          <Trans>
            When these terms change, you are told and asked to accept the new version. Until then the version
            you accepted holds.
          </Trans>
        </p>
      </Part>
      <Part title={<Trans>11. Maps and names of places</Trans>}>
        <p>
          <Trans>
            Names of places come from GeoNames (geonames.org), under the licence CC BY 4.0; we shortened and
            rounded them. The coast comes from Natural Earth and is in the public domain.
          </Trans>
        </p>
      </Part>
    </div>
  );
}
