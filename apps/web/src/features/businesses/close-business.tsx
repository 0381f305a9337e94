import { useIonRouter } from '@ionic/react';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useCloseBusiness } from './businesses.api.ts';

/** Ending a business: asked twice, and only once its jobs are closed. */
export function CloseBusiness({ business }: { business: Business }) {
  const { t } = useLingui();
  const router = useIonRouter();
  const close = useCloseBusiness();
  if (!business.actions.includes('close')) return null;

  const run = async () => {
    const answer = await showAlert({
      title: t`Close ${business.name}?`,
      message: t`It disappears for workers and cannot be opened again. Its jobs and applicants stay readable for you.`,
      tone: 'ask',
      buttons: [
        { value: 'close', label: t`Close business`, kind: 'bad' },
        { value: 'keep', label: t`Keep it` },
      ],
    });
    if (answer !== 'close') return;
    try {
      await close.mutateAsync({ businessId: business.id });
      showToast(t`${business.name} is closed`);
      router.push('/tabs/menu/business', 'back', 'replace');
    } catch (failure) {
      await showAlert({
        title: isApiError(failure, 'business/has-open-jobs') ? t`Close its jobs first` : t`It is not closed`,
        message: errorText(failure),
        tone: 'bad',
      });
    }
  };

  return (
    <Card as="section" roomy label={t`Close this business`}>
      <h2 className="h-s">{t`Close this business`}</h2>
      {business.openJobs > 0 ? (
        <>
          <p className="sm mute mt2">
            <Plural
              value={business.openJobs}
              one="# job is still open. Close it first."
              other="# jobs are still open. Close them first."
            />
          </p>
          <ButtonLink kind="out" size="s" to="/listed-job" className="mt3">
            {t`See open jobs`}
          </ButtonLink>
        </>
      ) : (
        <>
          <p className="sm mute mt2">
            <Trans>It disappears for workers and cannot be opened again.</Trans>
          </p>
          <Button kind="bad" size="s" className="mt3" busy={close.isPending} onClick={() => void run()}>
            {t`Close business`}
          </Button>
        </>
      )}
    </Card>
  );
}
