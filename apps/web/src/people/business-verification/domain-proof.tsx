import { useLingui } from '@lingui/react/macro';
import type { BusinessDomain, BusinessVerification } from '@nearhand/contract/people/business-verification';
import {
  businessProofLimits,
  domainRecord,
  domainRecordName,
  domainTag,
  plainDomain,
} from '@nearhand/contract/people/business-verification.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useProofChanges } from './business-verification.api.ts';
import { domainProblemText } from './proof.labels.ts';

export function DomainProof({ proof, website }: { proof: BusinessVerification; website: string | null }) {
  const { t } = useLingui();
  const [another, setAnother] = useState(false);
  const { domain } = proof;
  if (domain === null || another)
    return proof.mayChange ? (
      <DomainForm
        businessId={proof.businessId}
        start={domain?.domain ?? (website === null ? '' : (plainDomain(website) ?? ''))}
        onDone={() => setAnother(false)}
      />
    ) : (
      <p className="sm mute">{t`No domain was checked.`}</p>
    );
  return (
    <Named
      businessId={proof.businessId}
      domain={domain}
      onAnother={proof.mayChange ? () => setAnother(true) : null}
    />
  );
}

function DomainForm(props: { businessId: string; start: string; onDone: () => void }) {
  const { t } = useLingui();
  const { startDomain } = useProofChanges(props.businessId);
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ domain: props.start }),
    check: ({ domain }): { domain?: string } =>
      plainDomain(domain) ? {} : { domain: t`Enter a domain such as example.com.` },
  });
  const send = async ({ domain }: { domain: string }) => {
    try {
      await startDomain.mutateAsync({ businessId: props.businessId, domain });
      props.onDone();
    } catch (failure) {
      form.refuse({ text: errorText(failure) });
    }
  };
  return (
    <Form className="col g3" onSubmit={() => void form.submit(send)}>
      <TextInput
        {...form.textField('domain')}
        label={t`Domain of your website`}
        help={t`You'll add a line to its DNS or its home page, which shows us that it's yours.`}
        optional
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="example.com"
        maxLength={businessProofLimits.domain}
      />
      <Refused text={form.refusal} />
      <Button kind="out" full type="submit" busy={form.busy}>
        {t`Show me what to add`}
      </Button>
    </Form>
  );
}

type NamedProps = { businessId: string; domain: BusinessDomain; onAnother: (() => void) | null };

function Named({ businessId, domain, onAnother }: NamedProps) {
  const { t } = useLingui();
  const { checkDomain } = useProofChanges(businessId);
  const action = useAction();
  const checkedOn = domain.checkedAt && formatDay(domain.checkedAt, ownTimeZone());
  return (
    <div className="col g3">
      <div className="row wrap g2">
        <span className="t grow break">{domain.domain}</span>
        {domain.checkedAt ? (
          <Badge tone="good" icon="seal-check">{t`Domain checked`}</Badge>
        ) : (
          <Badge tone="wait">{t`Not checked`}</Badge>
        )}
      </div>
      {checkedOn ? (
        <p className="sm mute">
          {domain.method === 'dns'
            ? t`Found in the DNS on ${checkedOn}. Leave the record in place.`
            : t`Found on the home page on ${checkedOn}. Leave the tag in place.`}
        </p>
      ) : (
        <>
          <p className="sm">{t`Add one of these two, then press Check now.`}</p>
          <Published
            title={t`A TXT record in the DNS`}
            note={t`Name: ${domainRecordName(domain.domain)}`}
            text={domainRecord(domain.token)}
          />
          <Published
            title={t`A tag on the home page`}
            note={t`In the head of https://${domain.domain}`}
            text={domainTag(domain.token)}
          />
        </>
      )}
      {domain.problem && !action.busy ? (
        <Banner tone="wait" icon="info" live>
          {domainProblemText(domain.problem, domain.domain)}
        </Banner>
      ) : null}
      <Refused text={action.refusal} />
      <Button
        kind="out"
        full
        busy={action.busy}
        onClick={() => void action.run(() => checkDomain.mutateAsync({ businessId }))}
      >
        {domain.checkedAt ? t`Check again` : t`Check now`}
      </Button>
      {onAnother ? (
        <Button kind="text" size="s" onClick={onAnother}>
          {t`Use another domain`}
        </Button>
      ) : null}
    </div>
  );
}

function Published({ title, note, text }: { title: string; note: string; text: string }) {
  const { t } = useLingui();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast(t`Copied`);
    } catch {
      showToast(t`We couldn't copy it. Select and copy it yourself.`);
    }
  };
  return (
    <div className="proof-text">
      <p className="sm strong">{title}</p>
      <p className="xs mute break">{note}</p>
      <code className="sm wrap-any">{text}</code>
      <Button kind="text" size="s" icon="copy" onClick={() => void copy()}>
        {t`Copy`}
      </Button>
    </div>
  );
}
