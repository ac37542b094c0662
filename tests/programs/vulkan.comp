#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer numbers { uint number[]; };
void main() { number[gl_GlobalInvocationID.x] += 1; }
