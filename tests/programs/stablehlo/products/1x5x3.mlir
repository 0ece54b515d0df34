// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: 0.21788229 0.518491149 -0.14249742
// cost: 7 instructions, 639014 ticks
module {
  func.func public @main(%arg0: tensor<1x5xf32>, %arg1: tensor<5x3xf32>) -> (tensor<1x3xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x5xf32>, tensor<5x3xf32>) -> tensor<1x3xf32>
    return %0 : tensor<1x3xf32>
  }
}
