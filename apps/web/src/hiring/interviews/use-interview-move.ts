import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import { newsText } from '../../lib/api/news-text.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { statusText } from './interview-words.ts';

export const useInterviewMove = () =>
  useMove((error) => newsText(error, (status) => statusText(status as InterviewStatus)));
