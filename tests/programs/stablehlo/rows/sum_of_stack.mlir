// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -25.4450711 2.2315471 -12.7555347 16.2231799 -2.33432069 8.77807326 -1.55478414 -9.90004002 10.759708 4.81803628 -8.18736267 -1.01390129 16.265339 -1.45506386 -6.87792334 -5.97547846
// cost: 16 instructions, 1447545 ticks
module {
  func.func public @main(%arg0: tensor<40x64xf32>, %arg1: tensor<3x64xf32>) -> (tensor<40x64xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<40x64xf32>, tensor<i32>) -> tensor<42x64xf32>
    %1 = stablehlo.slice %0 [0:40, 0:64] : (tensor<42x64xf32>) -> tensor<40x64xf32>
    %2 = stablehlo.slice %0 [1:41, 0:64] : (tensor<42x64xf32>) -> tensor<40x64xf32>
    %3 = stablehlo.slice %0 [2:42, 0:64] : (tensor<42x64xf32>) -> tensor<40x64xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<40x64xf32>) -> tensor<40x1x64xf32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [0, 2] : (tensor<40x64xf32>) -> tensor<40x1x64xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<40x64xf32>) -> tensor<40x1x64xf32>
    %7 = stablehlo.concatenate %4, %5, %6, dim = 1 : (tensor<40x1x64xf32>, tensor<40x1x64xf32>, tensor<40x1x64xf32>) -> tensor<40x3x64xf32>
    %8 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<3x64xf32>) -> tensor<1x3x64xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x3x64xf32>) -> tensor<40x3x64xf32>
    %10 = stablehlo.multiply %7, %9 : tensor<40x3x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x3x64xf32>, tensor<f32>) -> tensor<40x64xf32>
    return %11 : tensor<40x64xf32>
  }
  func.func private @_pad(%arg0: tensor<40x64xf32>, %arg1: tensor<i32>) -> tensor<42x64xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [2, 0], high = [0, 0], interior = [0, 0] : (tensor<40x64xf32>, tensor<f32>) -> tensor<42x64xf32>
    return %1 : tensor<42x64xf32>
  }
}
