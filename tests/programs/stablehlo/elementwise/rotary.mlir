// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -12.1584743 -7.9575449 10.1267314 -1.35785904 -11.5016397 6.47914592 6.09319502 -25.2241657 15.5513913 -2.79864496 13.1007307 -0.586217577 20.1097299 16.0415202 -4.61011022 -4.60836602
// cost: 11 instructions, 738236 ticks
module {
  func.func public @main(%arg0: tensor<40x2x32xf32>) -> (tensor<40x2x32xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<16xf32>
    %cst = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2 = stablehlo.divide %0, %1 : tensor<16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %4 = stablehlo.power %3, %2 : tensor<16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %6 = stablehlo.divide %5, %4 : tensor<16xf32>
    %7 = stablehlo.iota dim = 0 : tensor<40xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %9 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x16xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<40x16xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<40x16xf32>
    %13 = stablehlo.cosine %12 : tensor<40x16xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 2] : (tensor<40x16xf32>) -> tensor<40x1x16xf32>
    %15 = stablehlo.sine %12 : tensor<40x16xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 2] : (tensor<40x16xf32>) -> tensor<40x1x16xf32>
    %17 = stablehlo.slice %arg0 [0:40, 0:2, 0:16] : (tensor<40x2x32xf32>) -> tensor<40x2x16xf32>
    %18 = stablehlo.slice %arg0 [0:40, 0:2, 16:32] : (tensor<40x2x32xf32>) -> tensor<40x2x16xf32>
    %19 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<40x1x16xf32>) -> tensor<40x2x16xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<40x2x16xf32>
    %21 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<40x1x16xf32>) -> tensor<40x2x16xf32>
    %22 = stablehlo.multiply %18, %21 : tensor<40x2x16xf32>
    %23 = stablehlo.subtract %20, %22 : tensor<40x2x16xf32>
    %24 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<40x1x16xf32>) -> tensor<40x2x16xf32>
    %25 = stablehlo.multiply %18, %24 : tensor<40x2x16xf32>
    %26 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<40x1x16xf32>) -> tensor<40x2x16xf32>
    %27 = stablehlo.multiply %17, %26 : tensor<40x2x16xf32>
    %28 = stablehlo.add %25, %27 : tensor<40x2x16xf32>
    %29 = stablehlo.concatenate %23, %28, dim = 2 : (tensor<40x2x16xf32>, tensor<40x2x16xf32>) -> tensor<40x2x32xf32>
    return %29 : tensor<40x2x32xf32>
  }
}
