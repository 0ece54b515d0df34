// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 6421dbdddd256d86
// cost: 4 instructions, 599943 ticks
module {
  func.func public @main(%arg0: tensor<30x20xf32>) -> (tensor<33x23xf32>) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %0 = call @_pad(%arg0, %cst) : (tensor<30x20xf32>, tensor<f32>) -> tensor<33x23xf32>
    return %0 : tensor<33x23xf32>
  }
  func.func private @_pad(%arg0: tensor<30x20xf32>, %arg1: tensor<f32>) -> tensor<33x23xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 3], high = [2, 0], interior = [0, 0] : (tensor<30x20xf32>, tensor<f32>) -> tensor<33x23xf32>
    return %1 : tensor<33x23xf32>
  }
}
