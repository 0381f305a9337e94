import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { summaryOf } from '../../lib/forms/form-model.ts';
import { useRecordForm } from '../../lib/forms/record-form.ts';
import { useAddressState } from '../../lib/pages/use-address-state.ts';
import { categoryText } from '../../lib/words/category.labels.ts';
import { formatDay, joined } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { ConflictBanner } from '../../ui/controls/conflict-banner.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Refusal } from '../../ui/controls/refusal.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { EditScreen } from '../../ui/pages/edit-screen.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { BranchesPart } from '../branches/branches.tsx';
import { RoleTable } from '../team/roles.tsx';
import { TeamPart } from '../team/team.tsx';
import { businessFieldText } from './business.labels.ts';
import { useCountryCheck } from './business-country.ts';
import { errorsOfServer } from './business-form.errors.ts';
import { businessErrors, businessFields, changesOfBusiness, formOfBusiness } from './business-form.rules.ts';
import { BusinessFields } from './business-form.tsx';
import { BusinessStatusCard } from './business-status-card.tsx';
import { chooseBusiness, useCurrentBusiness, useMyBusinesses, useUpdateBusiness } from './businesses.api.ts';
import { CloseBusiness } from './close-business.tsx';
import '../../ui/desk.css';
import { NoBusiness } from './no-business.tsx';

const parts = ['details', 'branches', 'team', 'roles'] as const;
type Part = (typeof parts)[number];

const partIn = (search: string): Part =>
  parts.find((part) => part === new URLSearchParams(search).get('part')) ?? 'details';
const businessIn = (search: string): string | null => new URLSearchParams(search).get('business');

/** The shown part of the business and its tabs. It is in the address, to survive a reload (ADR 22). */
function useBusinessPart(): { part: Part; tabs: ReactNode } {
  const { t } = useLingui();
  const { key, search } = useLocation();
  const [part, setPart] = useAddressState<Part>({
    path: '/edit-business',
    read: partIn,
    write: (current) => (current === 'details' ? '' : `?part=${current}`),
  });
  // Once per link: showing the page again would switch back from a business that was chosen elsewhere.
  const handledKey = useRef<string | null>(null);
  useEffect(() => {
    if (handledKey.current === key) return;
    handledKey.current = key;
    const businessId = businessIn(search);
    if (businessId !== null) chooseBusiness(businessId);
  }, [key, search]);
  const words: Record<Part, string> = {
    details: t`Details`,
    branches: t`Branches`,
    team: t`Team`,
    roles: t`Roles`,
  };
  return {
    part,
    tabs: (
      <div className="part-tabs">
        <Segmented
          label={t`Part of the business`}
          value={part}
          options={parts.map((value) => ({ value, label: words[value] }))}
          onChange={setPart}
        />
      </div>
    ),
  };
}

/** The current business in parts. A link names the part and may name the business. */
export default function EditBusinessScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  const { part, tabs } = useBusinessPart();
  if (business && part === 'details')
    return <EditBusiness key={business.id} business={business} tabs={tabs} />;
  if (business)
    return (
      <Screen title={t`Edit business`} heading={business.name} back="/tabs/menu/business" width="wide">
        {tabs}
        {part === 'branches' ? <BranchesPart key={business.id} business={business} /> : null}
        {part === 'team' ? <TeamPart key={business.id} business={business} /> : null}
        {part === 'roles' ? <RoleTable /> : null}
      </Screen>
    );
  return (
    <Screen title={t`Edit business`} back="/tabs/menu/business" width="wide">
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() => (
          <NoBusiness title={t`No business yet`}>
            <Trans>Register a business to edit it here.</Trans>
          </NoBusiness>
        )}
      </QueryState>
    </Screen>
  );
}

const baseOf = (business: Business) => ({ form: formOfBusiness(business), version: business.version });

function EditBusiness({ business, tabs }: { business: Business; tabs: ReactNode }) {
  const { t } = useLingui();
  const edit = useRecordForm(baseOf(business), businessErrors);
  const update = useUpdateBusiness();
  const myBusinesses = useMyBusinesses();
  const checkCountry = useCountryCheck();
  const editable = business.actions.includes('edit');

  const save = async () => {
    const { point, countryCode: chosenCountry } = edit.values;
    const pinMoved =
      point?.lat !== business.lat || point.lng !== business.lng || chosenCountry !== business.countryCode;
    const countryCode = pinMoved ? await checkCountry(edit.values) : chosenCountry;
    if (countryCode === null) return;
    if (countryCode !== chosenCountry) edit.change({ countryCode });
    const changes = changesOfBusiness(edit.base.form, { ...edit.values, countryCode });
    if (Object.keys(changes).length === 0) {
      showToast(t`Nothing to save`);
      return;
    }
    try {
      const saved = await update.mutateAsync({
        ...changes,
        businessId: business.id,
        version: edit.base.version,
      });
      edit.adopt(baseOf(saved));
      showToast(t`Changes saved`);
    } catch (failure) {
      if (isApiError(failure, 'business/stale')) {
        const newest = (await myBusinesses.refetch()).data?.find((current) => current.id === business.id);
        if (newest) return edit.meet(baseOf(newest));
      }
      edit.refuse({
        fields: errorsOfServer(failure),
        text: isNetworkError(failure)
          ? t`${errorText(failure)} What you typed is still here.`
          : errorText(failure),
      });
    }
  };

  return (
    <EditScreen
      title={t`Edit business`}
      heading={business.name}
      back="/tabs/menu/business"
      save={
        editable ? { dirty: edit.dirty, busy: update.isPending, run: () => void edit.submit(save) } : null
      }
      top={tabs}
      before={<BusinessStatusCard business={business} unsaved={edit.dirty} />}
      after={<CloseBusiness business={business} />}
    >
      {editable || business.status === 'closed' ? null : (
        <Banner icon="info">
          <Trans>You can view this business, but only an owner or manager can change it.</Trans>
        </Banner>
      )}
      <ErrorSummary key={edit.tries} errors={summaryOf(businessFields, edit.problems, edit.idOf)} />
      {edit.refusal ? (
        <Refusal key={`refusal ${edit.tries}`}>
          <Banner tone="bad" icon="warning-circle" live>
            {edit.refusal}
          </Banner>
        </Refusal>
      ) : null}
      <ConflictBanner
        what={t`this business`}
        edit={edit}
        words={(fields) => joined(...fields.map(businessFieldText))}
      />
      {editable ? (
        <BusinessFields
          form={edit.values}
          onChange={edit.change}
          errors={edit.problems}
          idOf={edit.idOf}
          vatIdNote={edit.values.vatId === business.vatId ? <VatIdNote business={business} /> : null}
          legalNote={
            business.status === 'verified'
              ? t`We need to verify a new legal name. Until then workers see that the business isn't verified.`
              : undefined
          }
        />
      ) : (
        <BusinessView business={business} />
      )}
    </EditScreen>
  );
}

/** The business's details, for members who can't change them. */
function BusinessView({ business }: { business: Business }) {
  const { t } = useLingui();
  const facts = [
    [t`Name`, business.name],
    [t`Legal name`, business.legalName],
    [t`Registration number`, business.registrationNumber],
    [t`VAT ID`, business.vatId],
    [t`Category`, categoryText(business.category)],
    [t`Description`, business.description],
    [t`Address`, joined(business.address, business.area)],
    [t`Email`, business.email],
    [t`Phone`, business.phone],
    [t`Website`, business.website],
  ] as const;
  return (
    <Card roomy>
      <dl className="col g4">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt className="sm mute">{label}</dt>
            <dd className="break pre-line" dir="auto">
              {value || t`Not given`}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/**
 * The result of the VIES check of the saved VAT id. Renders nothing if there is no id or the server does not use
 * VIES.
 */
function VatIdNote({ business }: { business: Business }) {
  const { t } = useLingui();
  const { data } = useQuery(
    apiQuery.businesses.vatIdCheck.queryOptions({
      input: { businessId: business.id },
      enabled: business.vatId !== '',
      ...neverPersist,
    }),
  );
  if (!data) return null;
  const { state, checkedAt, registeredName, consultationNumber } = data;
  if (state === 'unknown')
    return (
      <Banner icon="clock">
        <Trans>We’re checking this VAT ID with VIES. This can take a while. You can carry on.</Trans>
      </Banner>
    );
  const day = checkedAt ? formatDay(checkedAt, business.timeZone) : '';
  return (
    <Banner
      tone={state === 'valid' ? 'good' : 'wait'}
      icon={state === 'valid' ? 'check-circle' : 'warning-circle'}
    >
      <p className="strong">
        {state === 'valid' ? t`Valid according to VIES on ${day}` : t`Not valid according to VIES on ${day}`}
      </p>
      {state === 'invalid' ? (
        <p>
          <Trans>
            Check the number. Until it’s valid, it won’t be on your invoices, and they may include VAT.
          </Trans>
        </p>
      ) : null}
      {registeredName ? <p className="break">{registeredName}</p> : null}
      {consultationNumber ? <p>{t`Consultation number: ${consultationNumber}`}</p> : null}
    </Banner>
  );
}
