// tolerance: 0.0001
// routines: batch_norm_inference
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 0.25 9.5367431640625e-07 2097152
// in: draw 3 -1 9.5367431640625e-07 2097153
// in: draw 4 -1 9.5367431640625e-07 2097153
// in: draw 5 0.25 9.5367431640625e-07 2097152
// out: sums -2.54927055 -3.41910885 3.53440475 2.19058074 14.3368178 10.5954045 -1.46077011 0 -2.02821818 -5.22106473 -7.63274185 -5.18983086 -3.93996879 0.0471129837 6.82219759 1.30063242
// cost: 0 instructions, 21140 ticks
func.func @main(%x: tensor<4x5x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> (tensor<4x5x3xf32>) {
  %y = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) {epsilon = 1.000000e-03 : f32, feature_index = 2 : i64} : (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x5x3xf32>)
  return %y : tensor<4x5x3xf32>
}
