import { sessions } from '@nearhand/contract/people/sessions';
import { read, write } from '../../platform/http/bind.ts';
import { endOtherSessions, endSession, listSessions, signInHistory } from './sessions.service.ts';

export const sessionsRoutes = {
  list: read(sessions.list, listSessions),
  end: write(sessions.end, endSession),
  endOthers: write(sessions.endOthers, endOtherSessions),
  history: read(sessions.history, signInHistory),
};
