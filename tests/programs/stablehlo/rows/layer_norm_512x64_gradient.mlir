// tolerance: 0.0003
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 32.1512585 17.885424 8.78957491 -28.5475081 65.663409 -15.6941152 31.7230798 22.6288236 -62.0661372 27.8432724 -30.6953719 -55.557557 36.7862759 -20.2423264 4.55630185 -36.8460233
// out: sums 115.56274 -387.402072 32.9981805 752.589158 -1077.88051 873.775857 24.4864633 0 333.013194 -460.019173 -238.53139 -213.511802 0.0191105604 1001.30212 -116.459811 -322.59681
// out: sums 3241.51143 877.649485 1094.15149 3006.49275 3054.71358 2708.93508 4238.01885 0 1037.76577 1529.33775 1608.42538 3071.1981 1076.67527 4680.44644 1772.69539 3242.81369
// cost: 843 instructions, 12028234 ticks
module {
  func.func public @main(%arg0: tensor<512x64xf32>, %arg1: tensor<64xf32>, %arg2: tensor<64xf32>) -> (tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>) {
    %cst = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %0:7 = call @standardize(%arg0, %cst) : (tensor<512x64xf32>, tensor<f32>) -> (tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x64xf32>)
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<512x64xf32>
    %3 = stablehlo.multiply %0#0, %2 : tensor<512x64xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<64xf32>) -> tensor<1x64xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<512x64xf32>
    %6 = stablehlo.add %3, %5 : tensor<512x64xf32>
    %7 = stablehlo.sine %6 : tensor<512x64xf32>
    %8 = stablehlo.cosine %6 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<512x64xf32>, tensor<f32>) -> tensor<64xf32>
    %13 = stablehlo.reshape %12 : (tensor<64xf32>) -> tensor<1x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %15 = stablehlo.multiply %0#0, %11 : tensor<512x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<512x64xf32>, tensor<f32>) -> tensor<64xf32>
    %17 = stablehlo.reshape %16 : (tensor<64xf32>) -> tensor<1x64xf32>
    %18 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x64xf32>) -> tensor<512x64xf32>
    %19 = stablehlo.multiply %11, %18 : tensor<512x64xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%17 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<1x64xf32>, tensor<f32>) -> tensor<64xf32>
    %21 = call @standardize_0(%0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %19) : (tensor<512x64xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x64xf32>
    return %21, %20, %14 : tensor<512x64xf32>, tensor<64xf32>, tensor<64xf32>
  }
  func.func private @standardize(%arg0: tensor<512x64xf32>, %arg1: tensor<f32>) -> (tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x64xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<512xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<512x1xf32>
    %4 = chlo.square %arg0 : tensor<512x64xf32> -> tensor<512x64xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x64xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<512x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%4 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<512xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<512x1xf32>
    %11 = chlo.square %3 : tensor<512x1xf32> -> tensor<512x1xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %13 = stablehlo.multiply %12, %3 : tensor<512x1xf32>
    %14 = stablehlo.subtract %10, %11 : tensor<512x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15:2 = call @clip(%14, %c) : (tensor<512x1xf32>, tensor<i32>) -> (tensor<512x1xf32>, tensor<512x1xf32>)
    %16 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x64xf32>
    %17 = stablehlo.subtract %arg0, %16 : tensor<512x64xf32>
    %18 = stablehlo.convert %arg1 : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %20 = stablehlo.add %15#0, %19 : tensor<512x1xf32>
    %21 = stablehlo.rsqrt %20 : tensor<512x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<512x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %24 = stablehlo.multiply %23, %22 : tensor<512x1xf32>
    %25 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x64xf32>
    %26 = stablehlo.multiply %17, %25 : tensor<512x64xf32>
    return %26, %6, %13, %15#1, %24, %21, %17 : tensor<512x64xf32>, tensor<512x64xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x64xf32>
  }
  func.func private @clip(%arg0: tensor<512x1xf32>, %arg1: tensor<i32>) -> (tensor<512x1xf32>, tensor<512x1xf32>) {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<512x1xf32>
    %3 = stablehlo.compare EQ, %arg0, %2, FLOAT : (tensor<512x1xf32>, tensor<512x1xf32>) -> tensor<512x1xi1>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %6 = stablehlo.select %3, %4, %5 : tensor<512x1xi1>, tensor<512x1xf32>
    %7 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %8 = stablehlo.compare EQ, %7, %2, FLOAT : (tensor<512x1xf32>, tensor<512x1xf32>) -> tensor<512x1xi1>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %11 = stablehlo.select %8, %9, %10 : tensor<512x1xi1>, tensor<512x1xf32>
    %12 = stablehlo.divide %6, %11 : tensor<512x1xf32>
    return %2, %12 : tensor<512x1xf32>, tensor<512x1xf32>
  }
  func.func private @standardize_0(%arg0: tensor<512x64xf32>, %arg1: tensor<512x1xf32>, %arg2: tensor<512x1xf32>, %arg3: tensor<512x1xf32>, %arg4: tensor<512x1xf32>, %arg5: tensor<512x64xf32>, %arg6: tensor<512x64xf32>) -> tensor<512x64xf32> {
    %0 = stablehlo.multiply %arg5, %arg6 : tensor<512x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<512xf32>
    %2 = stablehlo.reshape %1 : (tensor<512xf32>) -> tensor<512x1xf32>
    %3 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x64xf32>
    %4 = stablehlo.multiply %arg6, %3 : tensor<512x64xf32>
    %5 = stablehlo.multiply %2, %arg3 : tensor<512x1xf32>
    %6 = stablehlo.negate %4 : tensor<512x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<512x64xf32>, tensor<f32>) -> tensor<512xf32>
    %8 = stablehlo.reshape %7 : (tensor<512xf32>) -> tensor<512x1xf32>
    %9 = call @clip_1(%arg2, %5) : (tensor<512x1xf32>, tensor<512x1xf32>) -> tensor<512x1xf32>
    %10 = stablehlo.negate %9 : tensor<512x1xf32>
    %11 = stablehlo.multiply %10, %arg1 : tensor<512x1xf32>
    %12 = stablehlo.add %8, %11 : tensor<512x1xf32>
    %cst_1 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %14 = stablehlo.divide %9, %13 : tensor<512x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<512xf32>) -> tensor<512x64xf32>
    %17 = stablehlo.multiply %16, %arg0 : tensor<512x64xf32>
    %18 = stablehlo.add %4, %17 : tensor<512x64xf32>
    %cst_3 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %20 = stablehlo.divide %12, %19 : tensor<512x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<512xf32>) -> tensor<512x64xf32>
    %23 = stablehlo.add %18, %22 : tensor<512x64xf32>
    return %23 : tensor<512x64xf32>
  }
  func.func private @clip_1(%arg0: tensor<512x1xf32>, %arg1: tensor<512x1xf32>) -> tensor<512x1xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<512x1xf32>
    return %0 : tensor<512x1xf32>
  }
}
