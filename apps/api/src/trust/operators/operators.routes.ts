import { operators } from '@nearhand/contract/trust/operators';
import { read, write } from '../../platform/http/bind.ts';
import {
  answer,
  close,
  decideReport,
  endMessage,
  messages,
  ownSession,
  post,
  thread,
  unfreeze,
} from './operators.service.ts';

export const operatorsRoutes = {
  session: read(operators.session, ownSession),
  decideReport: write(operators.decideReport, decideReport),
  unfreeze: write(operators.unfreeze, unfreeze),
  ticket: read(operators.ticket, thread),
  answerTicket: write(operators.answerTicket, answer),
  solveTicket: write(operators.solveTicket, close),
  serviceMessages: read(operators.serviceMessages, messages),
  postServiceMessage: write(operators.postServiceMessage, post),
  endServiceMessage: write(operators.endServiceMessage, endMessage),
};
