import { attendance } from '@nearhand/contract/work/attendance';
import { read, write } from '../../platform/http/bind.ts';
import { checkIn, checkOut, endBreak, startBreak } from './attendance.service.ts';
import { checkInFor, checkOutFor, contestRecord } from './recorded-time.service.ts';
import { sayLate } from './running-late.service.ts';
import { siteCode } from './site-code.service.ts';

export const attendanceRoutes = {
  checkIn: write(attendance.checkIn, checkIn),
  checkOut: write(attendance.checkOut, checkOut),
  startBreak: write(attendance.startBreak, startBreak),
  endBreak: write(attendance.endBreak, endBreak),
  sayLate: write(attendance.sayLate, sayLate),
  checkInFor: write(attendance.checkInFor, checkInFor),
  checkOutFor: write(attendance.checkOutFor, checkOutFor),
  contestRecord: write(attendance.contestRecord, contestRecord),
  siteCode: read(attendance.siteCode, siteCode),
};
