import { t } from '@lingui/core/macro';
import { clockIn } from '../../lib/words/zoned-time.ts';
import type { JobErrors, JobForm, JobSetting } from './job-form.rules.ts';

/** Reports a day or start in the past at its field as soon as it is chosen. A year that is being typed isn't a day yet. */
export function pastErrors(form: JobForm, { timeZone, now, savedStart }: JobSetting): JobErrors {
  const today = clockIn(now.toISOString(), timeZone);
  const passed = (day: string) => day >= '1900' && day < today.day;
  if (form.kind === 'task')
    return passed(form.dueOn) ? { dueOn: t`This day has passed. Choose a later one.` } : {};
  const saved = savedStart ? clockIn(savedStart, timeZone) : null;
  if (saved?.day === form.day && (form.from === '' || form.from === saved.time)) return {};
  if (passed(form.day)) return { day: t`This day has passed. Choose a later one.` };
  return form.day === today.day && form.from !== '' && form.from <= today.time
    ? { from: t`This is in the past. Choose a later time.` }
    : {};
}
