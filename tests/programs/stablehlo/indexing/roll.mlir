// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 12c92da03f04d28c
// cost: 7 instructions, 1007262 ticks
module {
  func.func public @main(%arg0: tensor<20x30xf32>) -> (tensor<20x30xf32>) {
    %0 = call @_roll_static(%arg0) : (tensor<20x30xf32>) -> tensor<20x30xf32>
    return %0 : tensor<20x30xf32>
  }
  func.func private @_roll_static(%arg0: tensor<20x30xf32>) -> tensor<20x30xf32> {
    %0 = stablehlo.slice %arg0 [18:20, 0:30] : (tensor<20x30xf32>) -> tensor<2x30xf32>
    %1 = stablehlo.slice %arg0 [0:18, 0:30] : (tensor<20x30xf32>) -> tensor<18x30xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2x30xf32>, tensor<18x30xf32>) -> tensor<20x30xf32>
    %3 = stablehlo.slice %2 [0:20, 3:30] : (tensor<20x30xf32>) -> tensor<20x27xf32>
    %4 = stablehlo.slice %2 [0:20, 0:3] : (tensor<20x30xf32>) -> tensor<20x3xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<20x27xf32>, tensor<20x3xf32>) -> tensor<20x30xf32>
    return %5 : tensor<20x30xf32>
  }
}
