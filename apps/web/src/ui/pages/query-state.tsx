import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/api/error.labels.ts';
import { Banner } from '../banner.tsx';
import { Button } from '../controls/button.tsx';
import { BareQueryState, type BareQueryStateProps } from './bare-query-state.tsx';

type QueryStateProps<Data> = Omit<BareQueryStateProps<Data>, 'describe'> & {
  describe?: (error: unknown) => string;
};

/** The five states of a screen from one query: loading, error, empty, offline, full. */
export function QueryState<Data>({ describe = errorText, ...props }: QueryStateProps<Data>) {
  return <BareQueryState {...props} describe={describe} />;
}

/** Shows in place of a part of a page why it could not be read, and reads it again. */
export function RetryBanner({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui();
  return (
    <Banner
      tone="bad"
      icon="warning-circle"
      action={
        <Button kind="text" size="s" onClick={onRetry}>
          {t`Try again`}
        </Button>
      }
    >
      {errorText(error)}
    </Banner>
  );
}
