import { operators } from '@nearhand/contract/trust/operators';
import { read, write } from '../../platform/http/bind.ts';
import {
  answer,
  close,
  decideReport,
  endMessage,
  frozen,
  messages,
  openCases,
  openReports,
  post,
  requests,
  thread,
  unfreeze,
} from './operators.service.ts';

export const operatorsRoutes = {
  cases: read(operators.cases, openCases),
  reports: read(operators.reports, openReports),
  decideReport: write(operators.decideReport, decideReport),
  frozen: read(operators.frozen, frozen),
  unfreeze: write(operators.unfreeze, unfreeze),
  tickets: read(operators.tickets, requests),
  ticket: read(operators.ticket, thread),
  answerTicket: write(operators.answerTicket, answer),
  solveTicket: write(operators.solveTicket, close),
  serviceMessages: read(operators.serviceMessages, messages),
  postServiceMessage: write(operators.postServiceMessage, post),
  endServiceMessage: write(operators.endServiceMessage, endMessage),
};
