// Alarms for operators: raised with the change that causes them, listed and answered.
export { answerAlarm, listAlarmPage, type NewAlarm, raiseAlarm } from './alarms.js';
