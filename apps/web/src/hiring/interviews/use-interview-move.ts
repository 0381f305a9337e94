import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import { newsText } from '../../lib/api/news.labels.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { interviewStatusText } from './interview.labels.ts';

export const useInterviewMove = () =>
  useMove((error) => newsText(error, (status) => interviewStatusText(status as InterviewStatus)));
