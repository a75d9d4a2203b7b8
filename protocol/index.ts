// The door of the protocol package: wire types, schemas, limits, names, reasons and close codes. Pure; nothing of ours
// is imported here.
export * from './admin.js';
export * from './audit.js';
export * from './close-code.js';
export * from './codec.js';
export * from './floor-plane.js';
export * from './frame.js';
export * from './guard.js';
export * from './limit.js';
export * from './name.js';
export * from './permission.js';
export * from './plane.js';
export * from './queue.js';
export * from './reason.js';
export * from './seat.js';
export * from './status.js';
export * from './transport.js';
