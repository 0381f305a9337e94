import type { FailedTask } from '@nearhand/contract/trust/platform-health';
import { useInfiniteQuery } from '@tanstack/react-query';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api, apiQuery } from '../console-api.ts';
import { PagedList } from '../paged-list.tsx';

/** Tasks that are not tried any more, each to be run again. */
export function FailedTasks() {
  const query = useInfiniteQuery(
    apiQuery.platformHealth.failedTasks.infiniteOptions({ ...pages, input: (cursor) => ({ cursor }) }),
  );
  return (
    <PagedList
      query={query}
      label="Failed tasks"
      titled
      flush={false}
      errorTitle="We couldn't load the tasks"
      empty={<p className="mute mt2">No task has failed for good.</p>}
    >
      {(tasks) => (
        <ul>
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function TaskRow({ task }: { task: FailedTask }) {
  const move = useMove();
  const retry = async () => {
    if (await move.run(() => api.platformHealth.retryTask({ taskId: task.id })))
      showToast('The task runs again');
    await queryClient.invalidateQueries({ queryKey: apiQuery.platformHealth.key() });
  };
  return (
    <li className="li top">
      <div className="grow">
        <p className="strong break">{task.name}</p>
        <p className="sm mute">
          Tried {task.attempts} times, last {formatDayTime(task.failedAt, ownTimeZone())}
        </p>
        <p className="sm break pre-line">{task.error}</p>
        <Refused text={move.refusal} />
      </div>
      <Button kind="out" size="s" busy={move.busy} onClick={() => void retry()}>
        Run again
      </Button>
    </li>
  );
}
