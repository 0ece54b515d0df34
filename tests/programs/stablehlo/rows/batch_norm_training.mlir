// tolerance: 0.0001
// routines: batch_norm_training
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 0.25 9.5367431640625e-07 2097152
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 0.102912302 -2.95078022 1.98762479 -6.17693705 -2.36033127 -3.76929424 -13.0706009 0 -3.52539156 -10.5686516 -10.7969053 -9.78677982 -2.87494133 -1.74741232 3.97041508 2.15354956
// out: -0.0760974884 -0.0515158176 0.12374001
// out: 0.237724334 0.324763507 0.320127785
// cost: 0 instructions, 21140 ticks
func.func @main(%x: tensor<4x5x3xf32>, %s: tensor<3xf32>, %o: tensor<3xf32>) -> (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %y:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {epsilon = 1.000000e-03 : f32, feature_index = 2 : i64} : (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %y#0, %y#1, %y#2 : tensor<4x5x3xf32>, tensor<3xf32>, tensor<3xf32>
}
