import { errorText } from '../../lib/api/error.labels.ts';
import { BareQueryState, type BareQueryStateProps } from './bare-query-state.tsx';

type QueryStateProps<Data> = Omit<BareQueryStateProps<Data>, 'describe'> & {
  describe?: (error: unknown) => string;
};

/** The five states of a screen from one query: loading, error, empty, offline, full. */
export function QueryState<Data>({ describe = errorText, ...props }: QueryStateProps<Data>) {
  return <BareQueryState {...props} describe={describe} />;
}
