// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -5.40613079
// cost: 17 instructions, 752709 ticks
module {
  func.func public @main(%arg0: tensor<300xf32>, %arg1: tensor<300xf32>) -> (tensor<f32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<300xf32>, tensor<300xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}
