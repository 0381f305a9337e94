import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import { useId, useState } from 'react';
import { isApiError, isNetworkError } from '../../lib/api-error.ts';
import { useEditSession } from '../../lib/edit-session.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, joined } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { EditScreen } from '../../ui/edit-screen.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { showToast } from '../../ui/toast.tsx';
import '../../ui/desk.css';
import { errorsOfServer, summaryOf } from './business-form.errors.ts';
import {
  type BusinessErrors,
  type BusinessField,
  type BusinessForm,
  businessErrors,
  changesOfBusiness,
  formOfBusiness,
} from './business-form.rules.ts';
import { BusinessFields } from './business-form.tsx';
import { BusinessStatusCard } from './business-status-card.tsx';
import { businessFieldWords } from './business-words.ts';
import { useCurrentBusiness, useMyBusinesses, useUpdateBusiness } from './businesses.api.ts';
import { CloseBusiness } from './close-business.tsx';

/** The business in use: its data, its verification, closing it. */
export default function EditBusinessScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  if (business) return <EditBusiness key={business.id} business={business} />;
  return (
    <Screen title={t`Edit business`} back="/tabs/menu/business" width="wide">
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your business`}
        describe={errorText}
        asOf={formatAgo}
      >
        {() => (
          <EmptyState
            title={t`No business yet`}
            actions={
              <ButtonLink kind="go" full to="/register-business">
                {t`Register a business`}
              </ButtonLink>
            }
          >
            <Trans>Once you register one, you edit it here.</Trans>
          </EmptyState>
        )}
      </QueryState>
    </Screen>
  );
}

const baseOf = (business: Business) => ({ form: formOfBusiness(business), version: business.version });

function EditBusiness({ business }: { business: Business }) {
  const { t } = useLingui();
  const id = useId();
  const edit = useEditSession(baseOf(business));
  const [errors, setErrors] = useState<BusinessErrors>({});
  const [tries, setTries] = useState(0);
  const [refusal, setRefusal] = useState<string | null>(null);
  const update = useUpdateBusiness();
  const mine = useMyBusinesses();
  const editable = business.actions.includes('edit');
  const idOf = (field: BusinessField) => `${id}-${field}`;

  const change = (part: Partial<BusinessForm>) => {
    edit.change(part);
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))));
  };

  const save = async () => {
    const found = businessErrors(edit.typed);
    setErrors(found);
    setTries((before) => before + 1);
    setRefusal(null);
    if (Object.keys(found).length > 0) return;
    const changes = changesOfBusiness(edit.base.form, edit.typed);
    if (Object.keys(changes).length === 0) {
      showToast(t`There was nothing to save`);
      return;
    }
    try {
      const saved = await update.mutateAsync({
        ...changes,
        businessId: business.id,
        version: edit.base.version,
      });
      edit.reset(baseOf(saved as Business));
      showToast(t`Changes saved`);
    } catch (failure) {
      if (isApiError(failure, 'business/stale')) {
        const newest = (await mine.refetch()).data?.find((one) => one.id === business.id);
        if (newest) return edit.meet(baseOf(newest as Business));
      }
      setErrors(errorsOfServer(failure));
      setRefusal(
        isNetworkError(failure) ? t`${errorText(failure)} What you typed stays here.` : errorText(failure),
      );
    }
  };

  return (
    <EditScreen
      title={t`Edit business`}
      heading={business.name}
      back="/tabs/menu/business"
      save={editable ? { dirty: edit.dirty, busy: update.isPending, run: () => void save() } : null}
      before={<BusinessStatusCard business={business} unsaved={edit.dirty} />}
      after={<CloseBusiness business={business} />}
    >
      {editable ? null : (
        <Banner icon="info">
          <Trans>You can read this business but not change it. An owner or a manager can.</Trans>
        </Banner>
      )}
      <ErrorSummary key={tries} errors={summaryOf(errors, idOf)} />
      {refusal ? (
        <Refusal key={tries}>
          <Banner tone="bad" icon="warning-circle" live>
            {refusal}
          </Banner>
        </Refusal>
      ) : null}
      <ConflictBanner
        what={t`this business`}
        edit={edit}
        words={(fields) => joined(...fields.map(businessFieldWords))}
      />
      <fieldset className="bare-set" disabled={!editable}>
        <BusinessFields
          form={edit.typed}
          onChange={change}
          errors={errors}
          idOf={idOf}
          legalNote={
            business.status === 'verified'
              ? t`A new legal name is verified anew. Until then workers see that the business is not verified.`
              : undefined
          }
        />
      </fieldset>
    </EditScreen>
  );
}
