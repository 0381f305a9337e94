import { cases } from '@nearhand/contract/trust/cases';
import { read, write } from '../../platform/http/bind.ts';
import { closedFile, getCase } from './case-file.ts';
import {
  askSide,
  claimCase,
  colleagues,
  countOpen,
  handOverCase,
  listCases,
  listClosed,
  noteCase,
  prioritizeCase,
  releaseCase,
} from './cases.ts';
import { caseChat, previewDecision } from './pay-case.ts';

export const casesRoutes = {
  list: read(cases.list, listCases),
  closed: read(cases.closed, listClosed),
  decided: read(cases.decided, closedFile),
  counts: read(cases.counts, countOpen),
  colleagues: read(cases.colleagues, colleagues),
  get: read(cases.get, getCase),
  preview: read(cases.preview, previewDecision),
  chat: read(cases.chat, caseChat),
  claim: write(cases.claim, claimCase),
  release: write(cases.release, releaseCase),
  handOver: write(cases.handOver, handOverCase),
  ask: write(cases.ask, askSide),
  note: write(cases.note, noteCase),
  setPriority: write(cases.setPriority, prioritizeCase),
};
