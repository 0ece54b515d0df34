// tolerance: 0.002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 0.0009765625 257
// in: draw 3 -1 0.0009765625 257
// out: sums -322.184523 1739.82335 4031.0436 -3659.23573 -34.0257916 -534.674862 1343.72834 2715.48241 -87.6605233 4058.32025 -3838.13553 564.398906 -3017.19197 -266.625414 199.523789 -1916.05819
// out: sums -5355.77773 -5027.02849 -5195.81225 -5173.00316 -4894.80707 -4999.18394 -4816.52709 -4862.66838 -5205.69396 -4573.37154 -5049.29327 -5369.33385 -4886.36715 -5008.26036 -5390.75233 -5307.42533
// cost: 218 instructions, 7053640 ticks
module {
  func.func public @main(%arg0: tensor<40x64xf32>, %arg1: tensor<3x64x64xf32>, %arg2: tensor<3x64x64xf32>) -> (tensor<3x64x64xf32>, tensor<3x64x64xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x40x64xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x40x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x40x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x40x64xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x40x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x40x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:10 = stablehlo.while(%iterArg = %arg1, %iterArg_11 = %arg2, %iterArg_12 = %c, %iterArg_13 = %arg0, %iterArg_14 = %0, %iterArg_15 = %1, %iterArg_16 = %2, %iterArg_17 = %3, %iterArg_18 = %4, %iterArg_19 = %5) : tensor<3x64x64xf32>, tensor<3x64x64xf32>, tensor<i32>, tensor<40x64xf32>, tensor<3x40x64xf32>, tensor<3x40x1xf32>, tensor<3x40x1xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>
    cond {
      %c_20 = stablehlo.constant dense<3> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_12, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_12) : (tensor<3x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %14 = func.call @dynamic_index_in_dim(%iterArg_11, %iterArg_12) : (tensor<3x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %15:7 = func.call @closed_call(%iterArg_13, %13, %14) : (tensor<40x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> (tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x1xf32>, tensor<40x1xf32>, tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x64xf32>)
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_14, %15#1, %iterArg_12) : (tensor<3x40x64xf32>, tensor<40x64xf32>, tensor<i32>) -> tensor<3x40x64xf32>
      %17 = func.call @dynamic_update_index_in_dim_0(%iterArg_15, %15#2, %iterArg_12) : (tensor<3x40x1xf32>, tensor<40x1xf32>, tensor<i32>) -> tensor<3x40x1xf32>
      %18 = func.call @dynamic_update_index_in_dim_0(%iterArg_16, %15#3, %iterArg_12) : (tensor<3x40x1xf32>, tensor<40x1xf32>, tensor<i32>) -> tensor<3x40x1xf32>
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_17, %15#4, %iterArg_12) : (tensor<3x40x64xf32>, tensor<40x64xf32>, tensor<i32>) -> tensor<3x40x64xf32>
      %20 = func.call @dynamic_update_index_in_dim(%iterArg_18, %15#5, %iterArg_12) : (tensor<3x40x64xf32>, tensor<40x64xf32>, tensor<i32>) -> tensor<3x40x64xf32>
      %21 = func.call @dynamic_update_index_in_dim(%iterArg_19, %15#6, %iterArg_12) : (tensor<3x40x64xf32>, tensor<40x64xf32>, tensor<i32>) -> tensor<3x40x64xf32>
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %22 = stablehlo.add %iterArg_12, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %22, %15#0, %16, %17, %18, %19, %20, %21 : tensor<3x64x64xf32>, tensor<3x64x64xf32>, tensor<i32>, tensor<40x64xf32>, tensor<3x40x64xf32>, tensor<3x40x1xf32>, tensor<3x40x1xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>
    }
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6#3 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<40x64xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<40x64xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<40x64xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x64x64xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x64x64xf32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %12:12 = stablehlo.while(%iterArg = %6#4, %iterArg_11 = %6#5, %iterArg_12 = %6#6, %iterArg_13 = %arg1, %iterArg_14 = %6#7, %iterArg_15 = %6#8, %iterArg_16 = %6#9, %iterArg_17 = %arg2, %iterArg_18 = %c_10, %iterArg_19 = %9, %iterArg_20 = %10, %iterArg_21 = %11) : tensor<3x40x64xf32>, tensor<3x40x1xf32>, tensor<3x40x1xf32>, tensor<3x64x64xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>, tensor<3x64x64xf32>, tensor<i32>, tensor<40x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
    cond {
      %c_22 = stablehlo.constant dense<3> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_18, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %c_22 = stablehlo.constant dense<3> : tensor<i32>
      %13 = stablehlo.subtract %c_22, %iterArg_18 : tensor<i32>
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.subtract %13, %c_23 : tensor<i32>
      %15 = func.call @dynamic_index_in_dim_1(%iterArg, %14) : (tensor<3x40x64xf32>, tensor<i32>) -> tensor<40x64xf32>
      %16 = func.call @dynamic_index_in_dim_2(%iterArg_11, %14) : (tensor<3x40x1xf32>, tensor<i32>) -> tensor<40x1xf32>
      %17 = func.call @dynamic_index_in_dim_2(%iterArg_12, %14) : (tensor<3x40x1xf32>, tensor<i32>) -> tensor<40x1xf32>
      %18 = func.call @dynamic_index_in_dim(%iterArg_13, %14) : (tensor<3x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %19 = func.call @dynamic_index_in_dim_1(%iterArg_14, %14) : (tensor<3x40x64xf32>, tensor<i32>) -> tensor<40x64xf32>
      %20 = func.call @dynamic_index_in_dim_1(%iterArg_15, %14) : (tensor<3x40x64xf32>, tensor<i32>) -> tensor<40x64xf32>
      %21 = func.call @dynamic_index_in_dim_1(%iterArg_16, %14) : (tensor<3x40x64xf32>, tensor<i32>) -> tensor<40x64xf32>
      %22 = func.call @dynamic_index_in_dim(%iterArg_17, %14) : (tensor<3x64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
      %23:3 = func.call @closed_call_3(%iterArg_19, %15, %16, %17, %18, %19, %20, %21, %22) : (tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x1xf32>, tensor<40x1xf32>, tensor<64x64xf32>, tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x64xf32>, tensor<64x64xf32>) -> (tensor<40x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>)
      %24 = func.call @dynamic_update_index_in_dim_4(%iterArg_20, %23#1, %14) : (tensor<3x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<3x64x64xf32>
      %25 = func.call @dynamic_update_index_in_dim_4(%iterArg_21, %23#2, %14) : (tensor<3x64x64xf32>, tensor<64x64xf32>, tensor<i32>) -> tensor<3x64x64xf32>
      %c_24 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.add %iterArg_18, %c_24 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_11, %iterArg_12, %iterArg_13, %iterArg_14, %iterArg_15, %iterArg_16, %iterArg_17, %26, %23#0, %24, %25 : tensor<3x40x64xf32>, tensor<3x40x1xf32>, tensor<3x40x1xf32>, tensor<3x64x64xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>, tensor<3x40x64xf32>, tensor<3x64x64xf32>, tensor<i32>, tensor<40x64xf32>, tensor<3x64x64xf32>, tensor<3x64x64xf32>
    }
    return %12#10, %12#11 : tensor<3x64x64xf32>, tensor<3x64x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x64x64xf32>, %arg1: tensor<i32>) -> tensor<64x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 64] : (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @closed_call(%arg0: tensor<40x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> (tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x1xf32>, tensor<40x1xf32>, tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x64xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<40x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x64xf32>, tensor<f32>) -> tensor<40xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<40x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<40x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<40x1xf32>
    %8 = stablehlo.divide %7, %6 : tensor<40x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<40x1xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x64xf32>
    %12 = stablehlo.multiply %arg0, %11 : tensor<40x64xf32>
    %13 = stablehlo.dot_general %12, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32>
    %14 = stablehlo.tanh %13 : tensor<40x64xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<40x64xf32>
    %16 = stablehlo.subtract %15, %14 : tensor<40x64xf32>
    %17 = stablehlo.dot_general %14, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32>
    %18 = stablehlo.add %arg0, %17 : tensor<40x64xf32>
    return %18, %arg0, %10, %7, %12, %14, %16 : tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x1xf32>, tensor<40x1xf32>, tensor<40x64xf32>, tensor<40x64xf32>, tensor<40x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x40x64xf32>, %arg1: tensor<40x64xf32>, %arg2: tensor<i32>) -> tensor<3x40x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<40x64xf32>) -> tensor<1x40x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x40x64xf32>, tensor<1x40x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x40x64xf32>
    return %1 : tensor<3x40x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<3x40x1xf32>, %arg1: tensor<40x1xf32>, %arg2: tensor<i32>) -> tensor<3x40x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<40x1xf32>) -> tensor<1x40x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x40x1xf32>, tensor<1x40x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x40x1xf32>
    return %1 : tensor<3x40x1xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x40x64xf32>, %arg1: tensor<i32>) -> tensor<40x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 40, 64] : (tensor<3x40x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x40x64xf32>) -> tensor<40x64xf32>
    return %1 : tensor<40x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<3x40x1xf32>, %arg1: tensor<i32>) -> tensor<40x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 40, 1] : (tensor<3x40x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x40x1xf32>) -> tensor<40x1xf32>
    return %1 : tensor<40x1xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<40x64xf32>, %arg1: tensor<40x64xf32>, %arg2: tensor<40x1xf32>, %arg3: tensor<40x1xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<40x64xf32>, %arg6: tensor<40x64xf32>, %arg7: tensor<40x64xf32>, %arg8: tensor<64x64xf32>) -> (tensor<40x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<40x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.dot_general %arg0, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32>
    %3 = stablehlo.multiply %2, %arg7 : tensor<40x64xf32>
    %4 = stablehlo.multiply %3, %arg6 : tensor<40x64xf32>
    %5 = stablehlo.add %3, %4 : tensor<40x64xf32>
    %6 = stablehlo.dot_general %5, %arg5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<40x64xf32>) -> tensor<64x64xf32>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %8 = stablehlo.dot_general %5, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32>
    %9 = stablehlo.multiply %arg1, %8 : tensor<40x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<40x64xf32>, tensor<f32>) -> tensor<40xf32>
    %11 = stablehlo.reshape %10 : (tensor<40xf32>) -> tensor<40x1xf32>
    %12 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x64xf32>
    %13 = stablehlo.multiply %8, %12 : tensor<40x64xf32>
    %14 = stablehlo.add %arg0, %13 : tensor<40x64xf32>
    %15 = stablehlo.multiply %11, %arg2 : tensor<40x1xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<40x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<40x1xf32>, tensor<f32>) -> tensor<40xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<40xf32>) -> tensor<40x64xf32>
    %20 = stablehlo.multiply %arg1, %19 : tensor<40x64xf32>
    %21 = stablehlo.add %14, %20 : tensor<40x64xf32>
    %22 = stablehlo.multiply %19, %arg1 : tensor<40x64xf32>
    %23 = stablehlo.add %21, %22 : tensor<40x64xf32>
    return %23, %7, %1 : tensor<40x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<3x64x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<i32>) -> tensor<3x64x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<1x64x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x64x64xf32>, tensor<1x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x64xf32>
    return %1 : tensor<3x64x64xf32>
  }
}
