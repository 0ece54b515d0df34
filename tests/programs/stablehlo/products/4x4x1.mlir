// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: -0.0473948717 0.142212138 -0.609729648 -0.409530133
// cost: 7 instructions, 647489 ticks
module {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x1xf32>) -> (tensor<4x1xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    return %0 : tensor<4x1xf32>
  }
}
