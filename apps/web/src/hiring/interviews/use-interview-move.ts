import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import { newsText } from '../../lib/api/news.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { interviewStatusText } from './interview.labels.ts';

export const useInterviewMove = () =>
  useAction((error) => newsText(error, (status) => interviewStatusText(status as InterviewStatus)));
