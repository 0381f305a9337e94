import { sessions } from '@nearhand/contract/people/sessions';
import { read, write } from '../../platform/http/bind.ts';
import {
  endOtherSessions,
  endSession,
  endSessionsOf,
  listSessions,
  signInHistory,
} from './sessions.service.ts';

export const sessionsRoutes = {
  list: read(sessions.list, listSessions),
  end: write(sessions.end, endSession),
  endOthers: write(sessions.endOthers, endOtherSessions),
  endOf: write(sessions.endOf, endSessionsOf),
  history: read(sessions.history, signInHistory),
};
